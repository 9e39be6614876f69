const lockNotAvailable = '55P03';

/** Whether a statement gave up a lock that another transaction holds. */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === lockNotAvailable;
