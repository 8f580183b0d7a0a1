export interface NamedEntity {
  type: string;
  id: string;
  name: string;
  aliases: readonly string[];
  status: string | null;
}
