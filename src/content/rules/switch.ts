/** True if a switch of a rule file is on. `no` and `off` are text in YAML 1.2; here they turn it off, as their author meant. */
export const isSwitchedOn = (value: unknown): boolean =>
  typeof value === 'string' ? !/^\s*(?:no|off|false)\s*$/i.test(value) : value !== false;
