import { ImageError, type Images } from '../../platform/images/images.ts';
import { JobRefused } from '../../platform/jobs/handlers.ts';
import { type Media, MediaError } from '../../platform/media/media.ts';
import type { Project } from '../records/index.ts';
import type { Measure } from './asset-list.store.ts';
import type { AssetRow } from './assets.tables.ts';
import { LARGEST } from './largest-files.ts';
import { modelFactsOf } from './model-facts.ts';

export const NOTHING: Measure = {
  width: null,
  height: null,
  duration: null,
  perceptual_hash: null,
  placeholder: null,
  media_facts: null,
};

export interface MeasuringOptions {
  images: Images;
  media: Media;
}

/** Measures an asset's bytes by its kind. Throws `JobRefused` for bytes that can never be measured. */
export function createMeasuring({ images, media }: MeasuringOptions) {
  async function picture(project: Project, { path, size_bytes }: AssetRow): Promise<Measure> {
    const place = size_bytes > LARGEST.held ? await project.files.locate(path) : undefined;
    if (size_bytes > (place === undefined ? LARGEST.held : LARGEST.inPlace)) return NOTHING;
    const source = place === undefined ? await project.files.read(path) : { path: place };
    const { width, height, hash, placeholder } = await images.measure(source);
    return { ...NOTHING, width, height, perceptual_hash: hash, placeholder };
  }

  async function recording(project: Project, { path, mime_type }: AssetRow): Promise<Measure> {
    const file = await project.files.open(path);
    const source = { type: mime_type, size: file.stat.size, stream: file.stream() };
    const { duration, width, height, ...facts } = await media.factsOf(source);
    return { ...NOTHING, duration, width, height, media_facts: JSON.stringify(facts) };
  }

  async function model(project: Project, row: AssetRow): Promise<Measure> {
    const facts = await modelFactsOf(project, row);
    return facts === undefined ? NOTHING : { ...NOTHING, media_facts: JSON.stringify(facts) };
  }

  const measure = (project: Project, row: AssetRow): Promise<Measure> => {
    if (row.kind === 'image') return picture(project, row);
    return row.kind === 'model' ? model(project, row) : recording(project, row);
  };

  return async (project: Project, row: AssetRow): Promise<Measure> => {
    try {
      return await measure(project, row);
    } catch (error) {
      const isRefusal = error instanceof MediaError || (error instanceof ImageError && error.code !== 'busy');
      throw isRefusal ? new JobRefused(error.message, { cause: error }) : error;
    }
  };
}
