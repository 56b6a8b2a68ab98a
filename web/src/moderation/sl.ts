/** Texts of moderation, in Slovene. */

import type { ModerationTexts } from "./en";

export const sl: ModerationTexts = {
  restart: "Strežnik se bo kmalu znova zagnal. Vaša igra se bo nato nadaljevala.",
  "restart.now": "Strežnik se znova zaganja. Vaša igra se bo nato nadaljevala.",
  more: "Možnosti za: {name}",
  mute: "Utišaj: {name}",
  muted: "Sporočila so skrita: {name}.",
  unmute: "Pokaži",
  report: "Prijavi: {name}",
  "report.text": "Kaj je narobe? (neobvezno)",
  reported: "Prijava je poslana upravitelju z zadnjimi sporočili pri tej mizi: {name}.",
};
