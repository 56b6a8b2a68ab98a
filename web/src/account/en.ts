/** What is said about accounts. */

export const en = {
  you: "You",
  account: "Your account",
  why: "An account keeps your name for you and makes you the same person in every browser and every protocol, with a profile of what you have played. Nobody needs one to play.",
  make: "Make an account",
  login: "Log in",
  name: "Name",
  "name.hint": "4 to 20 Latin letters and digits; blanks and - _ . ' may stand between them.",
  password: "Password",
  "password.hint": "At least 8 characters.",
  show: "Show the password",
  "make.do": "Make the account",
  "login.do": "Log in",
  busy: "One moment…",
  seats: "The seats you have now become the account's.",
  loggedIn: "Logged in as {name}",
  profile: "My profile",
  logout: "Log out",
  change: "Change the password",
  old: "Present password",
  new: "New password",
  "change.do": "Change it",
  changed: "The password is changed. You are logged out everywhere else.",
  delete: "Delete the account",
  "delete.more":
    "Profile and rating are forgotten at once, and the name is free for others. Finished matches keep it as it was shown. This cannot be undone.",
  "delete.do": "Delete it for good",
  ended: "Your session has ended: you are a guest now, called {name}.",
  "ended.login": "Log in again",

  "error.bad_name": "A name has 4 to 20 Latin letters and digits, with blanks and - _ . ' between them, and is not one that the house keeps for itself.",
  "error.name_taken": "Somebody has this name already, perhaps spelt in another way. Is it you? Then log in.",
  "error.bad_login": "Name and password do not belong together.",
  "error.not_yours": "That is not your password.",
  "error.short": "A password has at least 8 characters.",
  "error.long": "A password has at most 128 characters.",
  "error.bad_password": "This password is one of the first that everybody would try. Choose another.",
  "error.too_many": "Too many attempts. Wait some minutes, then try again.",
  "error.busy": "Too many people log in at this moment. Try again.",

  programs: "As your account",
  "programs.more":
    "A program that shows the token of a session is you: it has your name, goes on with your seats, and its results are yours. This request gets a token:",
  "programs.call": "A token for a program",
  "program.house": "In this protocol: join with the token as “token”. The name comes from the account.",
  "program.hearts": "In this protocol: join with the token as “token” and your name as “playerName”.",
  "program.rooms": "In this protocol: user.login with “token”, or with “nickname” and “password”.",
  "program.coinche": "In this protocol: NAME {nick}, a blank, then the token or the password.",
  "program.sagrada": "In this protocol: login, TAB, {nick}; then token, TAB, the token or the password.",
};

export type Key = keyof typeof en;
