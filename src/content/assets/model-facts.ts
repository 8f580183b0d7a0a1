/** The contents of a model. */
export interface ModelFacts {
  version: string | null;
  generator: string | null;
  meshes: number;
  materials: number;
  textures: number;
  animations: number;
  nodes: number;
  vertices: number;
  /** The box around all meshes, each where it was modelled; null where none says how large it is. */
  bounds: { min: number[]; max: number[] } | null;
}
