/** The account of this browser: what the server says about it, and that its session has ended. */

import { api, ApiError } from "./api";
import { becomeGuest, loggedIn, myToken, sessionEnded } from "./identity";
import type { AccountInfo } from "./protocol";

/** Ask in the name of the account; whoever's session has ended is a guest from then on. */
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

/** Return the seats of the account, whichever browser or protocol took them; none for a guest. */
export async function seatsOfMine(): Promise<AccountInfo["tables"]> {
  return loggedIn.peek() ? (await asAccount(api.account)).tables : [];
}
