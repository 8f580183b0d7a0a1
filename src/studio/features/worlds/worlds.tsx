import { useState } from 'react';
import { leave } from '../../data/leave.ts';
import { type ProjectSummary, useProjects } from '../../data/projects.ts';
import type { Me } from '../../data/session.ts';
import { mayDo } from '../../data/world.tsx';
import { addressOf, type WorldStart } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { NewWorld } from './new-world.tsx';
import { RenameWorld } from './rename-world.tsx';
import { WorldCard } from './world-card.tsx';
import styles from './worlds.module.css';
import { worldsTexts } from './worlds-texts.ts';

interface WorldsProps {
  me: Me;
  /** The form for a new world is open, with this chosen. */
  begin: WorldStart | null;
}

/** All worlds, and the way to a new one. */
export function Worlds({ me, begin }: WorldsProps) {
  const texts = useTexts(worldsTexts);
  const { data: projects, error } = useProjects();
  const mayMake = mayDo(me, 'create_entities');
  const [start, setStart] = useState(mayMake ? begin : null);
  const [renamed, setRenamed] = useState<ProjectSummary | null>(null);
  const make = mayMake && (
    <Button tone="primary" onPress={() => setStart('starter')}>
      {texts.make}
    </Button>
  );
  return (
    <main>
      <Page title={texts.title} actions={make} isWide>
        {error && <Notice tone="error">{texts.failed}</Notice>}
        {!projects && !error && <Skeleton lines={2} height="6rem" />}
        <ul className={styles.worlds}>
          {projects?.map((project) => (
            <WorldCard
              key={project.id}
              project={project}
              {...(mayDo(me, 'manage_settings') && { onRename: () => setRenamed(project) })}
            />
          ))}
        </ul>
        <footer className={styles.footer}>
          <LinkButton tone="quiet" size="s" href={addressOf({ screen: 'me', page: 'appearance' })}>
            {texts.appearance}
          </LinkButton>
          <Button tone="quiet" size="s" onPress={() => void leave()}>
            {texts.signOut}
          </Button>
        </footer>
      </Page>
      {start && <NewWorld start={start} onClose={() => setStart(null)} />}
      {renamed && <RenameWorld project={renamed} onClose={() => setRenamed(null)} />}
    </main>
  );
}
