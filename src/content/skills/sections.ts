import type { Skill, SkillPrompts } from './types.ts';

const listed = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n');

const joined = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');

/** A skill's prompts. Its rules belong to the system prompt, its workflows to the task. */
export const promptParts = ({ prompts, rules, workflows }: Skill): SkillPrompts => ({
  ...prompts,
  system: joined(prompts.system, listed('Rules', rules)),
  task: joined(prompts.task, listed('Steps', workflows)),
});

/** As one text; the later parts have a heading each, such as `## Task`. */
export function sectionsText({ system, task, output_format, examples, user }: SkillPrompts, level: string) {
  const under = (title: string, text: string) => (text === '' ? '' : `${level} ${title}\n\n${text}`);
  return joined(
    system,
    under('Task', task),
    under('Output format', output_format),
    under('Examples', examples),
    under('Request', user),
  );
}
