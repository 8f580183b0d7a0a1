/** Styles that a script imports become a file of its name beside it. */
declare module '*.css';
