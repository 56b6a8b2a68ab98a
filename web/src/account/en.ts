/** English texts about accounts. */

export const en = {
  you: "You",
  account: "Your account",
  why: "An account reserves your name and identifies you in every browser and protocol. It has a profile with your results. You do not need an account to play.",
  make: "Create an account",
  login: "Log in",
  name: "Name",
  "name.hint": "4 to 20 Latin letters and digits. Spaces and - _ . ' are allowed between them.",
  password: "Password",
  "password.hint": "At least 8 characters.",
  show: "Show password",
  "make.do": "Create account",
  "login.do": "Log in",
  busy: "One moment…",
  seats: "The seats you have taken will belong to the account.",
  loggedIn: "Logged in as {name}",
  profile: "My profile",
  logout: "Log out",
  change: "Change password",
  old: "Current password",
  new: "New password",
  "change.do": "Change password",
  changed: "Password changed. All your other sessions have been logged out.",
  delete: "Delete account",
  "delete.more":
    "Your profile and rating are deleted immediately, and your name becomes available to others. Finished matches still show your name. This cannot be undone.",
  "delete.do": "Delete permanently",
  ended: "Your session has ended. You are now a guest called {name}.",
  "ended.login": "Log in again",

  "error.bad_name": "A name must have 4 to 20 Latin letters and digits, with spaces and - _ . ' between them, and must not be a reserved name.",
  "error.name_taken": "This name, or one spelled almost the same, is already taken. If it is yours, log in.",
  "error.bad_login": "Wrong name or password.",
  "error.not_yours": "Wrong password.",
  "error.short": "A password must have at least 8 characters.",
  "error.long": "A password can have at most 128 characters.",
  "error.bad_password": "This password is too common. Choose another one.",
  "error.too_many": "Too many attempts. Wait a few minutes and try again.",
  "error.busy": "Too many people are logging in right now. Try again.",

  programs: "Using your account",
  "programs.more":
    "A program that sends a session token plays as you: it uses your name, it can take over your seats, and its results count as yours. This request returns a token:",
  "programs.call": "Get a token for a program",
  "program.house": "In this protocol: send the token as “token” in join. The name is taken from the account.",
  "program.hearts": "In this protocol: send the token as “token” and your name as “playerName” in join.",
  "program.rooms": "In this protocol: send user.login with “token”, or with “nickname” and “password”.",
  "program.coinche": "In this protocol: NAME {nick}, a space, then the token or the password.",
  "program.sagrada": "In this protocol: login, TAB, {nick}; then token, TAB, the token or the password.",
};

export type Key = keyof typeof en;
