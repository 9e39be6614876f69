export function Logo({ size = 44 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      role="img"
      aria-label="Parley"
      style={{ display: 'block', marginInline: 'auto' }}
    >
      <rect width="32" height="32" rx="9" fill="var(--pl-accent)" />
      <path
        d="M9 9.5h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7l-5 4v-4H9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2Z"
        fill="var(--pl-on-accent)"
      />
    </svg>
  );
}
