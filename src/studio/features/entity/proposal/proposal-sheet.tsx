import type { ReactNode } from 'react';
import { Sheet } from '../../../kit/ui/dialog.tsx';

interface ProposalSheetProps {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}

/** A phone has no room beside the text. */
export const ProposalSheet = (props: ProposalSheetProps) => <Sheet {...props} isOpen />;
