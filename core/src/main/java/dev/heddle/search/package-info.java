/** Full-text search over the attempts of jobs, for stores that implement {@link dev.heddle.search.TextIndex}. */
@NullMarked
package dev.heddle.search;

import org.jspecify.annotations.NullMarked;
