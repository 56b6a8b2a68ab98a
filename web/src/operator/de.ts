/** Texts of the operator's page, in German. */

import type { OperatorTexts } from "./en";

export const de: OperatorTexts = {
  title: "Betrieb",
  lead: "Was dieser Server gerade tut, alle zwei Sekunden neu gelesen.",
  token: "Betreiberschlüssel",
  "token.more": "Der Inhalt der Datei, die der Server mit --operator-token-file bekommen hat. Er wird behalten, bis dieser Tab geschlossen wird.",
  "token.open": "Ansehen",
  "token.wrong": "Diesen Schlüssel kennt der Server nicht.",
  "token.forget": "Schlüssel vergessen",
  none: "Dieser Server hat keine Betriebsseite",
  "none.more": "Starte ihn mit --operator-token-file FILE, wobei FILE einen Schlüssel von mindestens 16 Zeichen enthält, oder setz operator_token_file in seiner Konfiguration.",
  away: "Der Server antwortet nicht; was du siehst, ist {n} s alt.",

  uptime: "Läuft seit",
  connections: "Verbindungen",
  tables: "Offene Tische",
  actions: "Züge insgesamt",
  rate: "Züge je Sekunde",
  late: "Verzug der Ereignisschleife",
  queue: "Speicher: wartet",
  commit: "Speicher: letztes Schreiben",
  "rate.more": "Mittel der letzten Minute",
  "late.more": "Höchstwert der letzten Minute",
  "queue.more": "noch nicht auf der Platte",
  "commit.more": "Höchstwert der letzten Minute",

  plots: "Die letzten zwei Minuten",
  "plot.label": "{title}: jetzt {now}, höchstens {high} in den letzten {n} Sekunden",
  "plot.high": "höchstens {high}",

  "tables.title": "Tische nach Spiel und Phase",
  "tables.none": "Kein Tisch ist offen.",
  "tables.game": "Spiel",
  "tables.phase": "Phase",
  "tables.count": "Tische",
  "broken.title": "Kaputte Tische",
  "broken.more": "Sie ließen sich aus ihren Mitschnitten nicht wiederherstellen; das Log sagt warum.",
  "pool.title": "Prozesse der Bots",
  "store.title": "Ereignisspeicher",
  "store.name": "Zähler",
  "store.value": "Wert",
  "versions.title": "Versionen",
  "versions.rules": "Regeln",
};
