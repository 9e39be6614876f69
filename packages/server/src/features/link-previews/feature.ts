import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { linkPreviewsRoutes } from './routes.ts';
import { createLinkPreviewService, type LinkPreviews } from './service.ts';

export const createLinkPreviews = ({ kernel }: { kernel: Kernel }): Feature<LinkPreviews> => {
  const service = createLinkPreviewService(kernel);
  return { service, routes: (routes) => linkPreviewsRoutes(routes, service) };
};
