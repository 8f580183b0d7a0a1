const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    md: 'text/markdown',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    json: 'application/json',
    csv: 'text/csv',
    xml: 'application/xml',
    txt: 'text/plain',
    pdf: 'application/pdf',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    svg: 'image/svg+xml',
    tif: 'image/tiff',
    tiff: 'image/tiff',
    bmp: 'image/bmp',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    oga: 'audio/ogg',
    opus: 'audio/ogg',
    flac: 'audio/flac',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
    aif: 'audio/aiff',
    aiff: 'audio/aiff',
    mp4: 'video/mp4',
    webm: 'video/webm',
    ogv: 'video/ogg',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    avi: 'video/x-msvideo',
    glb: 'model/gltf-binary',
    gltf: 'model/gltf+json',
    fbx: 'application/octet-stream',
  }),
);

const PREVIEWED: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'image/tiff',
  'audio/wav',
  'audio/mpeg',
  'audio/ogg',
  'audio/flac',
]);

/** In lower case without the dot; '' for none and for dot files. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** By extension; null for types that content folders do not hold. */
export function mimeTypeOf(path: string): string | null {
  return TYPES.get(extensionOf(path)) ?? null;
}

/** Itself or as a picture made of it. */
export function hasPreview(mimeType: string | null): boolean {
  return mimeType !== null && PREVIEWED.has(mimeType);
}
