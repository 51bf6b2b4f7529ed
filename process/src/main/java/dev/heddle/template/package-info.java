/** Text with fields in it: {@link dev.heddle.template.Template}. */
@NullMarked
package dev.heddle.template;

import org.jspecify.annotations.NullMarked;
