import { leave } from '../../data/leave.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Avatar } from '../../kit/ui/avatar.tsx';
import { IconButton } from '../../kit/ui/button.tsx';
import { Menu } from '../../kit/ui/menu.tsx';
import { appTexts } from '../app-texts.ts';

export function MeMenu() {
  const texts = useTexts(appTexts);
  const { me } = useWorld();
  const face = <Avatar id={me.user_id} name={me.display_name} src={me.avatar_url} size="s" isDecoration />;
  return (
    <Menu
      label={texts.me}
      trigger={<IconButton label={`${texts.me}: ${me.display_name}`} icon={face} hasTooltip={false} />}
      items={[
        { id: 'appearance', label: texts.appearance, href: addressOf({ screen: 'me', page: 'appearance' }) },
        { id: 'sign-out', label: texts.signOut, onSelect: () => void leave() },
      ]}
    />
  );
}
