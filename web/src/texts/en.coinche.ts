/** The texts of Coinche, in English. */

export const coinche = {} as const;
