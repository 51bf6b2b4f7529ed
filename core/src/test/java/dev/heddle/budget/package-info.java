@NullMarked
package dev.heddle.budget;

import org.jspecify.annotations.NullMarked;
