/** Calls `onReach` whenever the element comes into view, and at first where it is in view already. Returns its stop. */
export const whenReached = (
  element: Element,
  onReach: () => void,
  options?: IntersectionObserverInit,
): (() => void) => {
  const observer = new IntersectionObserver((entries) => {
    // On a busy machine "out" and "in" arrive together: the last entry is how it is now.
    if (entries.at(-1)?.isIntersecting) onReach();
  }, options);
  observer.observe(element);
  return () => observer.disconnect();
};
