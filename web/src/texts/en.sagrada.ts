/** The texts of the glass workshop, in English. */

export const sagrada = {} as const;
