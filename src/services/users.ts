export { eraseUser, finishUserErasures } from "../db/users/erase-user.ts";
export { findUser } from "../db/users/find-user.ts";
