export function Plugins() {
  return null;
}
