import { type CatalogItem, offerOf } from '../../../domain/plugins/catalog-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { catalogTexts } from './catalog-texts.ts';

interface InstallButtonProps {
  item: CatalogItem;
  isPending: boolean;
  onPress: () => void;
}

/** Nothing where there is nothing to install. */
export function InstallButton({ item, ...button }: InstallButtonProps) {
  const texts = useTexts(catalogTexts);
  const { name, version } = item;
  switch (offerOf(item)) {
    case 'install':
      return (
        <Button {...button} tone="primary" label={texts.installOf(name)}>
          {texts.install}
        </Button>
      );
    case 'update':
      return (
        <Button {...button} label={texts.updateOf(name, version)}>
          {texts.update(version)}
        </Button>
      );
    case 'again':
      return (
        <Button {...button} label={texts.againOf(name)}>
          {texts.again}
        </Button>
      );
    default:
      return null;
  }
}
