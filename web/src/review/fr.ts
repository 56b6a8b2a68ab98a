import type { Key } from "./en";

export const fr: Record<Key, string> = {
  title: "Analyse",
  start: "Analyser cette donne",
  more: "Pour chaque décision : ce que le bot « maître » aurait choisi, avec ce que savait le joueur.",
  waiting: "L’analyse commence…",
  progress: "{n} {n|décision jugée|décisions jugées} sur {of}",
  stop: "Arrêter l’analyse",
  failed: "L’analyse s’est interrompue. {words}",
  busy: "D’autres donnes sont en cours d’analyse. Réessayez dans une minute.",
  same: "Le maître aurait fait de même.",
  better: "Le maître aurait préféré : {words}",
  gain: "Gain attendu en points : {n}",
  even: "À peu près aussi bon",
  next: "Décision coûteuse suivante",
  none: "Aucune décision coûteuse dans cette donne.",
  count: "{n} {n|décision coûteuse|décisions coûteuses}",
  lost: "Perdu par les décisions, en points : {list}",
};
