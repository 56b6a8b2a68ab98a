/** The dialog for the user's identity: a guest with a name, or an account with a password. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asAccount, seatsOfMine } from "../net/account";
import { api } from "../net/api";
import { becomeGuest, cleanName, loggedIn, logIn, myName, myToken, rename } from "../net/identity";
import { Dialog } from "../shell/Dialog";
import { Icon } from "../shell/icons";
import { go } from "../shell/router";
import { t } from "../texts";
import "./account.css";
import { type BadLogin, badLength, type Problem, problemOf } from "./problems";
import { say } from "./texts";

/** A request in progress, and its outcome. */
function useWork(badLogin: BadLogin = "error.bad_login") {
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const work = async (ask: () => Promise<void>, wrong: Problem | null = null) => {
    problem.value = wrong;
    if (wrong || busy.peek()) return;
    busy.value = true;
    try {
      await ask();
    } catch (error) {
      problem.value = problemOf(error, badLogin);
    }
    busy.value = false;
  };
  return { busy, problem, work };
}

function Field(props: {
  id: string;
  label: string;
  hint?: string;
  value: string;
  type: "text" | "password";
  complete: string;
  wrong: boolean;
  set: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.wrong) input.current?.focus();
  }, [props.wrong]);
  return (
    <div class="field">
      <label for={props.id}>{props.label}</label>
      <input
        ref={input}
        id={props.id}
        name={props.complete}
        {...(props.type === "password" ? { type: "password" } : { type: "text" })}
        autocomplete={props.complete}
        autocapitalize="off"
        spellcheck={false}
        dir="auto"
        required
        aria-invalid={props.wrong}
        aria-describedby={props.hint ? `${props.id}-hint` : undefined}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
      {props.hint && (
        <span class="field-hint" id={`${props.id}-hint`}>
          {props.hint}
        </span>
      )}
    </div>
  );
}

function Show(props: { id: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <div class="field switch">
      <input
        type="checkbox"
        id={props.id}
        checked={props.on}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      <label for={props.id}>{say("show")}</label>
    </div>
  );
}

/** The end of every form here: the error message and the button. */
function Send(props: { problem: Problem | null; busy: boolean; id: string; class?: string; children: ComponentChildren }) {
  return (
    <>
      <p class="refusal" role="alert">
        {props.problem?.words}
      </p>
      <button type="submit" class={props.class ?? "primary"} disabled={props.busy} data-testid={props.id}>
        {props.busy ? say("busy") : props.children}
      </button>
    </>
  );
}

function GuestName() {
  const draft = useSignal(myName.peek());
  const saved = draft.value === myName.value;
  const bad = cleanName(draft.value) === null;
  const save = (submit: SubmitEvent) => {
    submit.preventDefault();
    if (rename(draft.value)) draft.value = myName.peek();
  };
  return (
    <form class="account-form" onSubmit={save}>
      <div class="field">
        <label for="guest-name">{t("name.label")}</label>
        <div class="account-line">
          <input
            id="guest-name"
            data-testid="guest-name"
            autocomplete="off"
            dir="auto"
            aria-invalid={bad}
            aria-describedby="guest-name-bad"
            value={draft.value}
            onInput={(event) => (draft.value = event.currentTarget.value)}
          />
          <button type="submit" disabled={bad || saved} data-testid="save-name">
            {saved && <Icon name="check" />}
            {t("name.save")}
          </button>
        </div>
        <span class="field-hint" id="guest-name-bad">
          {bad && t("name.bad")}
        </span>
      </div>
    </form>
  );
}

/** Return the chosen name to prefill the form, but not the default guest name. */
function chosenName(): string {
  return /^Guest \d{3}$/u.test(myName.peek()) ? "" : myName.peek();
}

/** The recovery codes of a new account, shown once. */
function Codes(props: { codes: string[]; onDone: () => void }) {
  return (
    <section class="account-enter" aria-labelledby="account-codes">
      <p id="account-codes">{say("codes")}</p>
      <ul class="account-codes" data-testid="recovery-codes">
        {props.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" class="primary" data-testid="codes-kept" autofocus onClick={props.onDone}>
        {say("codes.kept")}
      </button>
    </section>
  );
}

function Enter(props: { onDone: () => void; onCodes: (codes: string[]) => void }) {
  const how = useSignal<"make" | "login" | "recover">("make");
  const code = useSignal("");
  const name = useSignal(chosenName());
  const password = useSignal("");
  const shown = useSignal(false);
  const making = how.value === "make";
  const recovering = how.value === "recover";
  const { busy, problem, work } = useWork(recovering ? "error.bad_code" : "error.bad_login");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const enter = async () => {
      // Phones type the curly apostrophe; the server expects the straight one.
      const who = name.value.replaceAll("’", "'");
      if (making) {
        const made = await api.makeAccount(who, password.value, myToken.peek());
        props.onCodes(made.recovery);
        logIn(made.name, made.token);
        return;
      }
      const made = recovering
        ? await api.recover(who, code.value, password.value)
        : await api.logIn(who, password.value, myToken.peek());
      logIn(made.name, made.token);
      props.onDone();
    };
    void work(enter, making || recovering ? badLength(password.value) : null);
  };
  return (
    <section class="account-enter" aria-labelledby="account-why">
      <p id="account-why">{say("why")}</p>
      <div class="account-choice" role="radiogroup" aria-labelledby="account-why">
        {(["make", "login", "recover"] as const).map((one) => (
          <label key={one} class={how.value === one ? "chosen" : ""}>
            <input
              type="radio"
              name="account-how"
              data-testid={`account-${one}`}
              checked={how.value === one}
              onChange={() => {
                how.value = one;
                problem.value = null;
              }}
            />
            {say(one)}
          </label>
        ))}
      </div>
      <form class="account-form" noValidate onSubmit={submit}>
        <Field
          id="account-name"
          label={say("name")}
          {...(making && { hint: say("name.hint") })}
          type="text"
          complete="username"
          wrong={problem.value?.field === "name"}
          value={name.value}
          set={(value) => (name.value = value)}
        />
        {recovering && (
          <Field
            id="account-code"
            label={say("code")}
            type="text"
            complete="one-time-code"
            wrong={problem.value?.field === "code"}
            value={code.value}
            set={(value) => (code.value = value)}
          />
        )}
        <Field
          key={how.value}
          id="account-password"
          label={say(recovering ? "new" : "password")}
          {...((making || recovering) && { hint: say("password.hint") })}
          type={shown.value ? "text" : "password"}
          complete={making || recovering ? "new-password" : "current-password"}
          wrong={problem.value?.field === "password"}
          value={password.value}
          set={(value) => (password.value = value)}
        />
        <Show id="account-show" on={shown.value} set={(on) => (shown.value = on)} />
        <Send problem={problem.value} busy={busy.value} id="account-do">
          {say(making ? "make.do" : recovering ? "change.do" : "login.do")}
        </Send>
        {making && <p class="faint">{say("codes.hint")}</p>}
        <p class="faint">{say("seats")}</p>
      </form>
    </section>
  );
}

/** A hidden name field next to the passwords, for password managers. */
function Username() {
  return <input class="sr-only" type="text" autocomplete="username" value={myName.value} readOnly tabIndex={-1} aria-hidden />;
}

function ChangePassword() {
  const old = useSignal("");
  const fresh = useSignal("");
  const shown = useSignal(false);
  const done = useSignal(false);
  const { busy, problem, work } = useWork("error.not_yours");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    done.value = false;
    const change = async () => {
      await asAccount((token) => api.changePassword(token, old.value, fresh.value));
      old.value = fresh.value = "";
      done.value = true;
    };
    void work(change, badLength(fresh.value));
  };
  const type = shown.value ? "text" : "password";
  const isOld = problem.value?.words === say("error.not_yours");
  return (
    <details>
      <summary data-testid="change-password">{say("change")}</summary>
      <form class="account-form" noValidate onSubmit={submit}>
        <Username />
        <Field
          id="account-old"
          label={say("old")}
          type={type}
          complete="current-password"
          wrong={isOld}
          value={old.value}
          set={(value) => (old.value = value)}
        />
        <Field
          id="account-new"
          label={say("new")}
          hint={say("password.hint")}
          type={type}
          complete="new-password"
          wrong={problem.value?.field === "password" && !isOld}
          value={fresh.value}
          set={(value) => (fresh.value = value)}
        />
        <Show id="account-show-new" on={shown.value} set={(on) => (shown.value = on)} />
        <Send problem={problem.value} busy={busy.value} id="change-do">
          {say("change.do")}
        </Send>
        <p role="status">{done.value && say("changed")}</p>
      </form>
    </details>
  );
}

/** Leave pages on which a seat of the account is open. */
function leave(onDone: () => void): void {
  becomeGuest();
  onDone();
  go("/");
}

function Delete(props: { onDone: () => void }) {
  const password = useSignal("");
  const { busy, problem, work } = useWork("error.not_yours");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void work(async () => {
      await asAccount((token) => api.deleteAccount(token, password.value));
      leave(props.onDone);
    });
  };
  return (
    <details>
      <summary data-testid="delete-account">{say("delete")}</summary>
      <form class="account-form" noValidate onSubmit={submit}>
        <p>{say("delete.more")}</p>
        <Username />
        <Field
          id="account-farewell"
          label={say("password")}
          type="password"
          complete="current-password"
          wrong={problem.value?.field === "password"}
          value={password.value}
          set={(value) => (password.value = value)}
        />
        <Send problem={problem.value} busy={busy.value} id="delete-do" class="danger">
          {say("delete.do")}
        </Send>
      </form>
    </details>
  );
}

function Mine(props: { onDone: () => void }) {
  const { busy, problem, work } = useWork();
  useEffect(() => void seatsOfMine().catch(() => undefined), []);
  const logOut = () =>
    work(async () => {
      await asAccount(api.logOut);
      leave(props.onDone);
    });
  return (
    <>
      <p dir="auto">{say("loggedIn", { name: myName.value })}</p>
      <div class="account-line">
        <a
          class="button primary"
          href={`/player/${encodeURIComponent(myName.value)}`}
          data-testid="my-profile"
          onClick={props.onDone}
        >
          {say("profile")}
        </a>
        <button type="button" data-testid="log-out" disabled={busy.value} onClick={() => void logOut()}>
          <Icon name="door" />
          {say("logout")}
        </button>
      </div>
      <p class="refusal" role="alert">
        {problem.value?.words}
      </p>
      <ChangePassword />
      <Delete onDone={props.onDone} />
    </>
  );
}

/** *accounts*: whether this server has accounts; the game node has none. */
export function AccountDialog(props: { accounts: boolean; onClose: () => void }) {
  const mine = loggedIn.value && props.accounts;
  const codes = useSignal<string[] | null>(null);
  return (
    <Dialog title={say(mine ? "account" : "you")} look="account-dialog" onClose={props.onClose}>
      {(close) => (
        <div class="account-body">
          {codes.value ? (
            <Codes codes={codes.value} onDone={close} />
          ) : mine ? (
            <Mine onDone={close} />
          ) : (
            <>
              <GuestName />
              {props.accounts && <Enter onDone={close} onCodes={(made) => (codes.value = made)} />}
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}
