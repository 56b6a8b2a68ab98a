/** Texts of the operator's page, in Slovenian. */

import type { OperatorTexts } from "./en";

export const sl: OperatorTexts = {
  title: "Upravljanje",
  lead: "Kaj ta strežnik dela, prebrano vsaki dve sekundi.",
  token: "Upraviteljev ključ",
  "token.more": "Vsebina datoteke, ki jo je strežnik dobil z --operator-token-file. Hrani se, dokler ne zaprete tega zavihka.",
  "token.open": "Poglej",
  "token.wrong": "Tega ključa strežnik ne pozna.",
  "token.forget": "Pozabi ključ",
  none: "Ta strežnik nima strani za upravitelja",
  "none.more": "Zaženite ga z --operator-token-file FILE, kjer FILE vsebuje ključ z vsaj 16 znaki, ali nastavite operator_token_file v njegovi konfiguraciji.",
  away: "Strežnik se ne odziva; kar vidite, je staro {n} s.",

  uptime: "Teče že",
  connections: "Povezave",
  tables: "Odprte mize",
  actions: "Vse poteze",
  rate: "Poteze na sekundo",
  late: "Zamuda zanke dogodkov",
  queue: "Shramba: čaka",
  commit: "Shramba: zadnji zapis",
  "rate.more": "povprečje zadnje minute",
  "late.more": "največ v zadnji minuti",
  "queue.more": "zapisi, ki še niso na disku",
  "commit.more": "največ v zadnji minuti",

  plots: "Zadnji dve minuti",
  "plot.label": "{title}: zdaj {now}, največ {high} v zadnjih sekundah ({n})",
  "plot.high": "največ {high}",

  "tables.title": "Mize po igri in fazi",
  "tables.none": "Nobena miza ni odprta.",
  "tables.game": "Igra",
  "tables.phase": "Faza",
  "tables.count": "Mize",
  "broken.title": "Okvarjene mize",
  "broken.more": "Iz njihovih zapisov jih ni bilo mogoče obnoviti; dnevnik pove zakaj.",
  "pool.title": "Procesi botov",
  "store.title": "Dnevnik dogodkov",
  "store.name": "Števec",
  "store.value": "Vrednost",
  "versions.title": "Različice",
  "versions.rules": "Pravila",
};
