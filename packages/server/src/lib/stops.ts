type Stop = () => void | Promise<void>;

/** The stops of started parts, run in reverse. */
export const createStops = () => {
  const stops: Stop[] = [];
  return {
    add(stop: Stop): void {
      stops.push(stop);
    },
    /** A stop that fails does not keep the rest from stopping; the first failure is thrown at the end. */
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
