import { type DescribedFile, tagQuestion } from '../../content/ai/index.ts';
import { ImageError, type Images } from '../../platform/images/images.ts';
import { JobRefused } from '../../platform/jobs/handlers.ts';
import { type AssetRow, LARGEST } from '../assets/index.ts';
import type { Provider, Question } from '../models/index.ts';
import type { Project } from '../records/index.ts';

/** Pixels of the longest side that a model is shown. */
const SHOWN_WITHIN = 768;
const ANSWER_TOKENS = 600;

const listOf = (json: string): string[] => JSON.parse(json) as string[];

export const describedFile = (row: AssetRow): DescribedFile => ({
  path: row.path,
  kind: row.kind,
  mime_type: row.mime_type,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  tags: listOf(row.tags),
  keywords: listOf(row.keywords),
  description: row.description,
  facts: {
    ...(row.width !== null && { width: row.width, height: row.height }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.media_facts !== null && (JSON.parse(row.media_facts) as Record<string, unknown>)),
  },
});

/** As JPEG, which every model reads. Throws `JobRefused` for a picture that cannot be drawn. */
async function shownPicture(
  images: Images,
  project: Project,
  { path, size_bytes }: AssetRow,
): Promise<Uint8Array> {
  if (size_bytes > LARGEST.held) throw new JobRefused(`${path} is too large to be shown to a model`);
  try {
    const sides = [SHOWN_WITHIN];
    const [drawn] = await images.toThumbnails(await project.files.read(path), sides, 'png');
    if (drawn === undefined) throw new Error('one picture is drawn for each side');
    return await images.toJpeg(drawn.bytes, { within: SHOWN_WITHIN });
  } catch (error) {
    if (error instanceof ImageError && error.code !== 'busy')
      throw new JobRefused(`${path} cannot be shown to a model: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The question about an asset: a picture is shown, other files are described by what is known of them. */
export async function tagQuestionOf(
  images: Images,
  project: Project,
  row: AssetRow,
  provider: Provider,
): Promise<Question> {
  const pictures =
    row.kind === 'image'
      ? [{ mediaType: 'image/jpeg', bytes: await shownPicture(images, project, row) }]
      : [];
  const { messages, schema } = tagQuestion(describedFile(row), pictures.length > 0);
  return {
    schema,
    maxOutputTokens: Math.min(ANSWER_TOKENS, provider.maxOutputTokens),
    messages: messages.map((message) =>
      message.role === 'user' && pictures.length > 0
        ? { role: 'user' as const, content: message.content, pictures }
        : message,
    ),
  };
}
