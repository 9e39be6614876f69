// Loaded before a server: its time of day is shifted by PARLEY_TEST_CLOCK_MS, as of a machine whose clock is wrong.
const shift = Number(process.env.PARLEY_TEST_CLOCK_MS);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  static now() {
    return RealDate.now() + shift;
  }
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }
};
