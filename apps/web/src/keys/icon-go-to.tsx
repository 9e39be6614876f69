/** An arrow to somewhere else. */
export function IconGoTo({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm-3.2 7h6.2m-2.4-2.6L13.2 10l-2.6 2.6" />
    </svg>
  );
}
