import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Field } from "./Field";
import { IconButton } from "./IconButton";

type Props = Omit<ComponentProps<typeof Field>, "type" | "after">;

/** For keys and passwords. Paste and password managers work; the value is never kept by the page. */
export function SecretField(props: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      autoComplete="off"
      spellCheck={false}
      {...props}
      dir="ltr"
      type={shown ? "text" : "password"}
      after={
        <IconButton
          size="small"
          label={shown ? "Hide" : "Show"}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          icon={<Icon aria-hidden="true" className="size-4" />}
        />
      }
    />
  );
}
