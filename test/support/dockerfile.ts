export interface Copy {
  /** Undefined: from the checkout. */
  from: string | undefined;
  sources: string[];
  target: string;
}

export interface Stage {
  name: string;
  base: string;
  /** All `ENV` together. */
  variables: Record<string, string>;
  /** In order. */
  makes: ({ copy: Copy } | { run: string })[];
  user: string | undefined;
  healthcheck: string | undefined;
  /** `ENTRYPOINT` and `CMD`. */
  command: string[];
}

/** Only the parts of the language that ours uses. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.replace(/\\\n\s*/g, '').split('\n')) {
    const [, word, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === 'FROM') stages.push(newStage(rest));
    const stage = stages.at(-1);
    if (word !== undefined && stage) STEPS[word]?.(stage, rest);
  }
  return stages;
}

function newStage(rest: string): Stage {
  const [base = '', , name = 'image'] = rest.split(' ');
  return { name, base, variables: {}, makes: [], user: undefined, healthcheck: undefined, command: [] };
}

const addWords = (stage: Stage, rest: string) => void stage.command.push(...(JSON.parse(rest) as string[]));

const STEPS: Record<string, (stage: Stage, rest: string) => void> = {
  RUN: (stage, run) => void stage.makes.push({ run }),
  COPY: (stage, rest) => void stage.makes.push({ copy: copyOf(rest) }),
  USER: (stage, rest) => void Object.assign(stage, { user: rest }),
  HEALTHCHECK: (stage, rest) => void Object.assign(stage, { healthcheck: rest }),
  ENTRYPOINT: addWords,
  CMD: addWords,
  ENV(stage, rest) {
    for (const pair of rest.split(' ')) {
      const at = pair.indexOf('=');
      stage.variables[pair.slice(0, at)] = pair.slice(at + 1);
    }
  },
};

function copyOf(rest: string): Copy {
  const words = rest.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' };
}
