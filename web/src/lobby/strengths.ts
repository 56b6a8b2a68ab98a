/** The bots of a game in display order, with their descriptions. */

import type { GameInfo } from "../net/protocol";
import { part } from "../texts/part";

type Known = "random" | "dummy" | "default" | "novice" | "heuristic" | "club" | "expert" | "master";

const words = {
  en: {
    random: "plays a random legal action",
    dummy: "passes three cards, then plays at random: only a placeholder",
    default: "plays the server's default action, as after a timeout",
    novice: "searches briefly: for a first game",
    heuristic: "answers immediately, using simple rules",
    club: "searches a little before every move: plays like a good club player",
    expert: "searches longest, up to two seconds per move: a very strong bot",
    master: "searches as long as expert, guided by a trained network",
  },
  de: {
    random: "tut irgendetwas, was die Regeln erlauben",
    dummy: "gibt drei Karten weiter und spielt dann zufällig: ein Platzhalter, kein Gegner",
    default: "tut, was die Uhr für jemanden täte, der nicht antwortet",
    novice: "denkt ein paar Züge durch: für die erste Partie",
    heuristic: "spielt sofort, nach Faustregeln",
    club: "denkt vor jedem Zug kurz nach: ein guter Stammspieler",
    expert: "denkt am längsten, bis zu zwei Sekunden je Zug: sehr stark",
    master: "denkt so lange wie der Experte, mit einem trainierten Netz",
  },
  fr: {
    random: "fait tout ce que la règle permet",
    dummy: "passe trois cartes, puis joue au hasard : un figurant, pas un adversaire",
    default: "fait ce que ferait l’horloge pour qui ne répond pas",
    novice: "réfléchit à quelques coups : pour une première partie",
    heuristic: "joue aussitôt, par habitude",
    club: "réfléchit brièvement avant chaque coup : un bon habitué",
    expert: "réfléchit le plus, jusqu’à deux secondes par coup : très fort",
    master: "réfléchit autant que le maître, guidé par un réseau entraîné",
  },
  sl: {
    random: "stori karkoli, kar pravila dovolijo",
    dummy: "poda tri karte, potem igra naključno: nadomestek, ne nasprotnik",
    default: "stori, kar bi ura storila za tistega, ki ne odgovori",
    novice: "premisli nekaj potez: za prvo igro",
    heuristic: "igra takoj, po izkušnjah",
    club: "pred vsako potezo na kratko premisli: dober stalni igralec",
    expert: "misli najdlje, do dve sekundi na potezo: zelo močan",
    master: "misli enako dolgo kot mojster, z naučeno nevronsko mrežo",
  },
  cs: {
    random: "udělá cokoli, co pravidla dovolí",
    dummy: "předá tři karty a pak hraje náhodně: náhradník, ne soupeř",
    default: "udělá to, co by udělaly hodiny za toho, kdo neodpovídá",
    novice: "promyslí pár tahů: pro první hru",
    heuristic: "hraje hned, podle zkušenosti",
    club: "před každým tahem krátce přemýšlí: dobrý stálý hráč",
    expert: "přemýšlí nejdéle, až dvě sekundy na tah: velmi silný",
    master: "přemýšlí stejně dlouho jako mistr, s natrénovanou neuronovou sítí",
  },
};

const say = part<Known>(words);

/** Return the description of *bot*; empty if these pages do not know it. */
export function expected(bot: string): string {
  return bot in words.en ? say(bot as Known) : "";
}

/** Return the named strengths first, weakest first, then the other bots of the game. */
export function offered(game: GameInfo): { strengths: string[]; others: string[] } {
  return {
    strengths: game.strengths,
    others: game.bots.filter((bot) => !game.strengths.includes(bot)),
  };
}
