/** As the style sheets tell it. */
export const isPhone = (): boolean => matchMedia('(width < 760px)').matches;
