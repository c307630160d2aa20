export { findUser, type UserDetails } from "../db/users/find-user.ts";
