/** The user in the header: opens the dialog for name, account, login and logout. */

import { signal } from "@preact/signals";
import { loggedIn, myName, sessionEnded } from "../net/identity";
import { t } from "../texts";
import { Icon } from "./icons";
import { lazily } from "./lazily";

const AccountDialog = lazily(() => import("../account/AccountDialog").then((module) => module.AccountDialog), true);
const SessionEnded = lazily(() => import("../account/SessionEnded").then((module) => module.SessionEnded), true);

const open = signal(false);

export function Me(props: { accounts: boolean }) {
  return (
    <>
      <button
        type="button"
        class="quiet me"
        data-testid="my-name"
        data-account={loggedIn.value}
        title={t("name.change")}
        aria-haspopup="dialog"
        onClick={() => (open.value = true)}
      >
        <Icon name={loggedIn.value ? "seal" : "person"} />
        <span class="sr-only">{t("name.label")}: </span>
        <span class="me-name" dir="auto">
          {myName.value}
        </span>
        {!loggedIn.value && <Icon name="pencil" />}
      </button>
      {open.value && <AccountDialog accounts={props.accounts} onClose={() => (open.value = false)} />}
    </>
  );
}

/** Notices about the user that are shown on every page. */
export function AboutMe() {
  return sessionEnded.value ? <SessionEnded onLogIn={() => (open.value = true)} /> : null;
}
