import type { Key } from "./en";

export const de: Record<Key, string> = {
  title: "Analyse",
  start: "Dieses Spiel analysieren",
  more: "Zu jeder Entscheidung: was der Bot „Experte“ gewählt hätte, mit dem Wissen des Spielers.",
  waiting: "Die Analyse beginnt …",
  progress: "{n} von {of} Entscheidungen beurteilt",
  stop: "Analyse abbrechen",
  failed: "Die Analyse ist abgebrochen. {words}",
  busy: "Gerade werden andere Spiele analysiert. Versuch es in einer Minute wieder.",
  same: "Der Experte hätte dasselbe getan.",
  better: "Der Experte hätte vorgezogen: {words}",
  gain: "Erwarteter Gewinn in Punkten: {n}",
  even: "Etwa gleich gut",
  next: "Nächste teure Entscheidung",
  none: "Keine teure Entscheidung in diesem Spiel.",
  count: "{n} teure {n|Entscheidung|Entscheidungen}",
  lost: "Durch Entscheidungen verloren, in Punkten: {list}",
};
