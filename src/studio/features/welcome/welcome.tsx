import { useProjects } from '../../data/projects.ts';
import type { Me } from '../../data/session.ts';
import { useStudioConfig } from '../../data/studio-config.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { ChoiceCard, ChoiceCards } from '../../kit/ui/choice-cards.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import { Page } from '../../kit/ui/page.tsx';
import styles from './welcome.module.css';
import { welcomeTexts } from './welcome-texts.ts';

/** After the first account was made: what is here, and the ways to begin. */
export function Welcome({ me }: { me: Me }) {
  const texts = useTexts(welcomeTexts);
  const { data: projects } = useProjects();
  const filled = projects?.find(({ available, entities }) => available && entities > 0);
  const own = addressOf({ screen: 'worlds', begin: 'starter' });
  return (
    <main>
      <Page title={texts.title(me.display_name)} why={texts.why}>
        <ChoiceCards>
          {filled && (
            <ChoiceCard
              href={addressOf({ screen: 'home', project: filled.id })}
              title={texts.open(filled.name)}
              why={texts.openWhy(filled.entities)}
            />
          )}
          <ChoiceCard href={own} title={texts.own} why={texts.ownWhy} />
          <ChoiceCard href={own} title={texts.bring} why={texts.bringWhy} />
        </ChoiceCards>
        <OwnFolder />
        <div>
          <LinkButton href={addressOf({ screen: 'start' })}>{texts.skip}</LinkButton>
        </div>
      </Page>
    </main>
  );
}

/** The served folder is chosen where the service runs, so the page can only say how to change it. */
function OwnFolder() {
  const texts = useTexts(welcomeTexts);
  const { data: config } = useStudioConfig();
  if (!config || config.deployment === 'cloud') return null;
  const isDesktop = config.deployment === 'desktop';
  return (
    <details className={styles.folder}>
      <summary>{texts.folder}</summary>
      <p className={styles.quiet}>{isDesktop ? texts.folderOnDesktop : texts.folderWhy}</p>
      {!isDesktop && (
        <p>
          <code>{texts.folderCommand}</code>
        </p>
      )}
    </details>
  );
}
