import type { en } from "./en";

export const fr: typeof en = {
  title: "Votre première partie",
  ok: "Compris",
  skip: "Passer l’introduction",

  "tarock.bidding":
    "On commence par les enchères. N’enchérissez qu’avec beaucoup de tarots (les atouts numérotés) ou de rois ; avec une main moyenne, passez. Une enchère plus haute rapporte plus et se gagne moins facilement.",
  "tarock.calling": "Vous jouez le contrat. Appelez un roi : qui le tient est votre partenaire, et seul à le savoir.",
  "tarock.exchanging":
    "Prenez une partie du talon, les six cartes du milieu. Écartez ensuite autant de cartes ; elles comptent pour votre camp. Gardez vos tarots.",
  "tarock.announcing":
    "Vous pouvez annoncer une prime, par exemple le dernier pli avec le pagat (tarot I). Annoncée, elle compte plus, et l’échec coûte autant. D’ordinaire, choisissez Rien.",
  "tarock.playing":
    "Fournissez la couleur si vous le pouvez. Sinon, il faut jouer un tarot. Le plus haut tarot prend le pli, sinon la plus haute carte de la couleur. Il faut 36 des 70 points au preneur.",

  "coinche.bidding":
    "Vous jouez avec la personne d’en face. Annoncez combien des 162 points votre camp fera, et avec quel atout : 80 demande environ quatre atouts avec le valet. On peut très bien passer.",
  "coinche.playing":
    "Fournissez ; sinon il faut couper, et monter à l’atout si vous le pouvez, sauf si votre partenaire est maître. À l’atout, le valet (20) et le neuf (14) sont les plus forts.",

  "taroky.prever":
    "Prever, c’est jouer seul contre les trois autres, avec la moitié du talon. Répondez non, sauf avec une main très forte : tout le monde joue alors avec un partenaire.",
  "taroky.talon": "Le talon est distribué. Vous pouvez prendre la carte proposée ou la passer.",
  "taroky.discard":
    "Vous avez maintenant plus de douze cartes : écartez le surplus. D’abord les cartes de couleur ; rois et atouts restent en main.",
  "taroky.moneycards": "Certaines combinaisons, comme beaucoup d’atouts ou tous les rois, sont payées tout de suite par les autres.",
  "taroky.partner":
    "Vous êtes Povinnost et nommez un atout. Qui le tient est votre partenaire ; personne d’autre ne le sait avant qu’il soit joué.",
  "taroky.valat": "Valat : votre camp fait les douze plis. Répondez presque toujours non.",
  "taroky.contra": "Un contre double la valeur de la donne. Dites-le seulement si vous pensez gagner.",
  "taroky.iote": "Vous pouvez annoncer que l’atout I fera le dernier pli. Cela rapporte plus, et l’échec coûte autant.",
  "taroky.play":
    "Fournissez la couleur si vous le pouvez, sinon jouez atout. Le plus haut atout prend le pli, sinon la plus haute carte de la couleur. Il faut au camp déclarant plus de 53 des 106 points.",

  "sagrada.choosing":
    "Choisissez un des quatre vitraux à remplir de dés. Les couleurs et les nombres imprimés limitent ce qu’on y place. Un vitrail plus difficile donne plus de jetons de faveur pour les outils.",
  "sagrada.extracting": "Vous commencez cette manche : tirez du sac les dés pour tout le monde.",
  "sagrada.turn":
    "Prenez un dé et placez-le : le premier au bord, chaque autre à côté d’un dé, aussi en diagonale. Deux dés de même couleur ou de même nombre ne se touchent pas par un côté. Vous jouez deux fois par manche.",
};
