export interface ModelFacts {
  version: string | null;
  generator: string | null;
  meshes: number;
  materials: number;
  textures: number;
  animations: number;
  nodes: number;
  vertices: number;
  /** Around all meshes, each where it was modelled; null if none states its size. */
  bounds: { min: number[]; max: number[] } | null;
}
