@NullMarked
package dev.heddle.store;

import org.jspecify.annotations.NullMarked;
