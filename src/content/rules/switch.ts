/** `no` and `off` are text in YAML 1.2, but their author meant off. */
export const isSwitchedOn = (value: unknown): boolean =>
  typeof value === 'string' ? !/^\s*(?:no|off|false)\s*$/i.test(value) : value !== false;
