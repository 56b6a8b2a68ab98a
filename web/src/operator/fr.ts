/** Texts of the operator's page, in French. */

import type { OperatorTexts } from "./en";

export const fr: OperatorTexts = {
  title: "Exploitation",
  lead: "Ce que fait ce serveur, relu toutes les deux secondes.",
  token: "Clé d’exploitation",
  "token.more": "Le contenu du fichier donné au serveur par --operator-token-file. Elle est gardée jusqu’à la fermeture de cet onglet.",
  "token.open": "Voir",
  "token.wrong": "Le serveur ne connaît pas cette clé.",
  "token.forget": "Oublier la clé",
  none: "Ce serveur n’a pas de page d’exploitation",
  "none.more": "Lancez-le avec --operator-token-file FILE, où FILE contient une clé d’au moins 16 caractères, ou réglez operator_token_file dans sa configuration.",
  away: "Le serveur ne répond pas ; ce que vous voyez date de {n} s.",

  uptime: "En marche depuis",
  connections: "Connexions",
  tables: "Tables ouvertes",
  actions: "Coups en tout",
  rate: "Coups par seconde",
  late: "Retard de la boucle d’événements",
  queue: "Stockage : en attente",
  commit: "Stockage : dernière écriture",
  "rate.more": "moyenne de la dernière minute",
  "late.more": "maximum de la dernière minute",
  "queue.more": "écritures pas encore sur disque",
  "commit.more": "maximum de la dernière minute",

  plots: "Les deux dernières minutes",
  "plot.label": "{title} : maintenant {now}, maximum {high} sur les {n} dernières secondes",
  "plot.high": "maximum {high}",

  "tables.title": "Tables par jeu et par phase",
  "tables.none": "Aucune table n’est ouverte.",
  "tables.game": "Jeu",
  "tables.phase": "Phase",
  "tables.count": "Nombre",
  "broken.title": "Tables défaillantes",
  "broken.more": "Elles n’ont pas pu être rétablies depuis leurs enregistrements ; le journal dit pourquoi.",
  "pool.title": "Processus des robots",
  "store.title": "Journal des événements",
  "store.name": "Compteur",
  "store.value": "Valeur",
  "versions.title": "Versions",
  "versions.rules": "Règles",
};
