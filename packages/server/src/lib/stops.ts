type Stop = () => void | Promise<void>;

/** What was started and how to stop it, in reverse. */
export const createStops = () => {
  const stops: Stop[] = [];
  return {
    add(stop: Stop): void {
      stops.push(stop);
    },
    /** One that fails does not keep the rest from stopping; the first failure is told at the end. */
    async run(): Promise<void> {
      const failures: unknown[] = [];
      for (const stop of stops.splice(0).reverse()) {
        try {
          await stop();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};
export type Stops = ReturnType<typeof createStops>;
