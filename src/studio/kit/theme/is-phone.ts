/** As the style sheets tell it. */
export const isPhone = (): boolean => matchMedia('(width < 47.5rem)').matches;
