/** The texts of Taroky, in English. */

export const taroky = {} as const;
