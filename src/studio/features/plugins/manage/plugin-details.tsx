export function PluginDetails({ id }: { id: string }) {
  return id;
}
