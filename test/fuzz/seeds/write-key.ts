/** Stands for the sender's key in what is recorded, in the body and in Basic authentication. */
export const WRITE_KEY = "WRITE_KEY_OF_THE_SENDER";
