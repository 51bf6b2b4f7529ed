@NullMarked
package dev.heddle.batch;

import org.jspecify.annotations.NullMarked;
