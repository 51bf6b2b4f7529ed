@NullMarked
package dev.heddle.external;

import org.jspecify.annotations.NullMarked;
