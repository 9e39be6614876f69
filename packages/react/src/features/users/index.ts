/** The entry `@parley/react/users`: the form to sign in with. */
export { SignInCard, type SignInCardProps, type SignInChoice } from './sign-in-card.tsx';
