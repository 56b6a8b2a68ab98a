/** The account of this browser: requests in its name, and the end of its session. */

import { api, ApiError } from "./api";
import { becomeGuest, loggedIn, myToken, sessionEnded } from "./identity";
import type { AccountInfo } from "./protocol";

/** Send a request in the name of the account; if its session has ended, the user becomes a guest. */
export async function asAccount<T>(ask: (token: string) => Promise<T>): Promise<T> {
  const token = myToken.peek();
  try {
    return await ask(token);
  } catch (error) {
    if (error instanceof ApiError && error.key === "bad_token" && token === myToken.peek()) {
      becomeGuest();
      sessionEnded.value = true;
    }
    throw error;
  }
}

/** Return the seats of the account, taken in any browser or protocol; none for a guest. */
export async function seatsOfMine(): Promise<AccountInfo["tables"]> {
  return loggedIn.peek() ? (await asAccount(api.account)).tables : [];
}
