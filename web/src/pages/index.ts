// The pages by their names.

import type { ComponentType } from 'preact';
import type { PageName, Params } from '../route';
import { BoardPage } from './board';
import { ExperimentsPage } from './experiments';
import { GalleryPage } from './gallery';
import { GraphPage } from './graph';
import { HelpPage } from './help';
import { ProblemPage } from './problem';
import { ProofPage } from './proof';
import { RulesheetPage } from './rulesheet';
import { StudyPage } from './study';

/** Every page gets the parameters of its address, and has one `h1`. */
export interface PageProps {
  params: Params;
}

export const PAGE: Record<PageName, { title: string; view: ComponentType<PageProps> }> = {
  gallery: { title: 'Games', view: GalleryPage },
  board: { title: 'Board', view: BoardPage },
  study: { title: 'Study', view: StudyPage },
  proof: { title: 'Proofs', view: ProofPage },
  problem: { title: 'Chess problems', view: ProblemPage },
  rulesheet: { title: 'Rulesheets', view: RulesheetPage },
  graph: { title: 'Graphs', view: GraphPage },
  experiments: { title: 'Experiments', view: ExperimentsPage },
  help: { title: 'Help', view: HelpPage },
};
