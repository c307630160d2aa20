/** Charts that react. */
